// The official TypeScript SDK 2.x, which speaks both eras of the protocol.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { headers, run } from "./job.mjs";

const MODES = { legacy: "legacy", modern: { pin: "2026-07-28" } };

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
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: MODES[job.era] } },
  );
  await client.connect(transport(job));
  return client;
});
