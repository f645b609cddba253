// What every client of these tests does: read a job, do its calls one after another, print one line.
//
// The job is the JSON on standard input:
//   command, environment   the server as a child process, or
//   url, token             the server over HTTP, the token "" for none
//   era                    "legacy" (2025-11-25) or "modern" (2026-07-28)
//   calls                  [{tool, arguments}, ...] or [{prompt, arguments}, ...]

import { text } from "node:stream/consumers";

/** Do the job with the client that `connect(job)` gives; print what it saw as one line of JSON. */
export async function run(connect) {
  const job = JSON.parse(await text(process.stdin));
  let client;
  try {
    client = await connect(job);
  } catch (error) {
    console.log(JSON.stringify({ refused: error.status ?? error.code }));
    return;
  }
  const seen = {
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    capabilities: Object.keys(client.getServerCapabilities()).sort(),
    tools: (await client.listTools()).tools,
    answers: [],
  };
  for (const call of job.calls) {
    seen.answers.push(await answer(client, call));
  }
  await client.close();
  console.log(JSON.stringify(seen));
}

async function answer(client, call) {
  try {
    return call.tool === undefined
      ? await client.getPrompt({ name: call.prompt, arguments: call.arguments })
      : await client.callTool({ name: call.tool, arguments: call.arguments });
  } catch (error) {
    return { thrown: { code: error.code, message: error.message } };
  }
}

/** The way to the job's server, by the transports of an SDK: `Http` to its URL, or `Stdio`. */
export function transport(job, Http, Stdio) {
  if (job.url) {
    return new Http(new URL(job.url), { requestInit: { headers: headers(job) } });
  }
  const [command, ...args] = job.command;
  return new Stdio({ command, args, env: job.environment });
}

function headers(job) {
  return job.token ? { Authorization: `Bearer ${job.token}` } : {};
}
