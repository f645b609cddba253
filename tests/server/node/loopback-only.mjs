// Loaded before any script of these tests: refuses connections and look-ups that leave this machine.
//
// What was refused is written where the hook of the Python side writes it, so that a test fails even
// when a client swallows the error.

import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net, { isIP } from "node:net";

const LOOPBACK = new net.BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

function isLoopback(host) {
  const version = isIP(host);
  return version ? LOOPBACK.check(host, `ipv${version}`) : host === "localhost";
}

function check(event, host) {
  if (!isLoopback(host)) {
    const text = `${event} of ${host} would leave this machine`;
    appendFileSync(process.env.LOOPBACK_ONLY_REPORT, `${text}\n`);
    throw new Error(text);
  }
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : net._normalizeArgs(given);
  if (!options.path) {
    check("a connection", options.host ?? "localhost");
  }
  return connect.apply(this, given);
};

for (const place of [dns, dns.promises]) {
  for (const name of Object.keys(place).filter((name) => /^(lookup|resolve)/.test(name))) {
    const ask = place[name];
    place[name] = (host, ...rest) => {
      check("a look-up", host);
      return ask(host, ...rest);
    };
  }
}
