// The official TypeScript SDK 1.x: it checks every structured answer against its schema, errors too.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { headers, run } from "./job.mjs";

function transport(job) {
  if (job.url) {
    return new StreamableHTTPClientTransport(new URL(job.url), {
      requestInit: { headers: headers(job) },
    });
  }
  const [command, ...args] = job.command;
  return new StdioClientTransport({ command, args, env: job.environment });
}

await run(async (job) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport(job));
  return client;
});
