// Loaded into promptfoo's process (node --import): its usage goes to a file, and it reaches nothing but this machine.
// With telemetry off promptfoo still reports "telemetry disabled" to its maker; refusing names keeps it from that.

import dns from "node:dns";
import { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const lookup = dns.lookup;
dns.lookup = (host, options, callback) => {
  if (host === "localhost") return lookup(host, options, callback);
  const error = Object.assign(new Error(`${host} is not looked up in a benchmark`), { code: "ENOTFOUND" });
  process.nextTick(callback ?? options, error);
};
syncBuiltinESMExports();

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRssMb: maxRSS / 1024 };
  writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(usage));
});
