// The official TypeScript SDK 1.x: it checks every structured answer against its schema, errors too.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { run, transport } from "./job.mjs";

await run(async (job) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport(job, StreamableHTTPClientTransport, StdioClientTransport));
  return client;
});
