/**
 * How long requests took, as a histogram in the text form of Prometheus. Our own, because every request adds to it
 * and finding the line of three labels in a general one costs more than the rest of the door.
 */
import type { Metrics } from './metrics.ts';

const name = 'proofmark_request_seconds';
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

interface Line {
  readonly labels: string;
  /** How many took at most as long as each bound and longer than the one before; the last had no bound. */
  readonly counts: number[];
  sum: number;
}

export function createRequestTimes(): Pick<Metrics, 'observe'> & { text(): string } {
  const lines = new Map<string, Line>();
  return {
    observe({ operationId, method, status }, seconds) {
      const labels = `operation="${operationId}",method="${method}",status="${status}"`;
      let line = lines.get(labels);
      if (line === undefined) {
        line = { labels, counts: Array(bounds.length + 1).fill(0), sum: 0 };
        lines.set(labels, line);
      }
      let at = 0;
      while (at < bounds.length && seconds > (bounds[at] as number)) at += 1;
      line.counts[at] = (line.counts[at] as number) + 1;
      line.sum += seconds;
    },
    text() {
      const opening = [
        `# HELP ${name} Time to answer a request, by operation and status.`,
        `# TYPE ${name} histogram`,
      ];
      return [...opening, ...[...lines.values()].flatMap(describe), ''].join('\n');
    },
  };
}

function describe({ labels, counts, sum }: Line): string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",${labels}} ${total}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
}
