export interface MemorySample {
  readonly residentMb: number;
  readonly heapUsedMb: number;
  readonly externalMb: number;
  readonly handles: number;
  readonly postgresMb: number;
}

const megabyte = 1024 * 1024;

export function memorySample(metrics: string, postgresBytes: number): MemorySample {
  const gauge = (name: string) => {
    const found = new RegExp(`^proofmark_${name} ([\\d.e+]+)`, 'm').exec(metrics)?.[1];
    if (found === undefined) throw new Error(`The metrics say nothing of ${name}.`);
    return Number(found);
  };
  return {
    residentMb: gauge('process_resident_memory_bytes') / megabyte,
    heapUsedMb: gauge('nodejs_heap_size_used_bytes') / megabyte,
    externalMb: gauge('nodejs_external_memory_bytes') / megabyte,
    handles: sumOf(metrics, 'nodejs_active_handles'),
    postgresMb: postgresBytes / megabyte,
  };
}

/** Sums a metric over all its labels; an absent metric counts as 0. */
function sumOf(metrics: string, name: string): number {
  const found = metrics.matchAll(new RegExp(`^proofmark_${name}\\{[^}]*\\} ([\\d.e+]+)`, 'gm'));
  return [...found].reduce((sum, [, value]) => sum + Number(value), 0);
}

export function leastOf(samples: readonly MemorySample[]): MemorySample {
  const least = (of: (sample: MemorySample) => number) => Math.min(...samples.map(of));
  return {
    residentMb: least((one) => one.residentMb),
    heapUsedMb: least((one) => one.heapUsedMb),
    externalMb: least((one) => one.externalMb),
    handles: least((one) => one.handles),
    postgresMb: least((one) => one.postgresMb),
  };
}

/** Returns the slope of the regression line through readings taken one minute apart. */
export function slopePerHour(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let above = 0;
  let below = 0;
  for (const [minute, value] of values.entries()) {
    above += (minute - middle) * (value - mean);
    below += (minute - middle) ** 2;
  }
  return below === 0 ? 0 : (above / below) * 60;
}
