// Loaded into the command that is measured: leaves the processor time it took (ms, user and system) and the most memory it
// had (MB) in a file.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: maxRSS / 1024 };
  writeFileSync(process.env.PROBE_BENCH_COST, JSON.stringify(cost));
});
