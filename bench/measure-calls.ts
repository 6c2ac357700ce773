export const toolCall = {
  toolName: 'structured',
  parameters: { city: 'Brno' },
};

export interface CallFigure {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicroseconds: number;
}

const warmUpCalls = 1500;
const measuredCalls = Number(process.env['BENCH_CALLS'] ?? 2000);

export async function measureCalls(
  call: () => Promise<void>,
  cpuSeconds: () => Promise<number>,
): Promise<CallFigure> {
  for (let done = 0; done < warmUpCalls; done += 1) await call();
  const times: number[] = [];
  const before = await cpuSeconds();
  for (let done = 0; done < measuredCalls; done += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  const cpu = (await cpuSeconds()) - before;
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), cpuMicroseconds: (cpu * 1e6) / measuredCalls };
}
