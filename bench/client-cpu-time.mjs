// Loaded into the command that is measured: leaves the processor time it took (ms, user and system) in a file.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.PROBE_BENCH_CPU, String((user + system) / 1000));
});
