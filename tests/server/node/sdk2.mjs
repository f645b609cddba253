// The official TypeScript SDK 2.x, which speaks both eras of the protocol.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { run, transport } from "./job.mjs";

const MODES = { legacy: "legacy", modern: { pin: "2026-07-28" } };

await run(async (job) => {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: MODES[job.era] } },
  );
  await client.connect(transport(job, StreamableHTTPClientTransport, StdioClientTransport));
  return client;
});
