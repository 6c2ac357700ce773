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
  const lines: Line[] = [];
  // Found label by label: to make one text of them for every request would cost more than all the rest.
  const byOperation = new Map<string, Map<string, Map<number, Line>>>();
  return {
    observe(operationId, method, status, seconds) {
      const line =
        byOperation.get(operationId)?.get(method)?.get(status) ??
        startLine(byOperation, lines, operationId, method, status);
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
      return [...opening, ...lines.flatMap(describe), ''].join('\n');
    },
  };
}

function startLine(
  byOperation: Map<string, Map<string, Map<number, Line>>>,
  lines: Line[],
  operationId: string,
  method: string,
  status: number,
): Line {
  const labels = `operation="${operationId}",method="${method}",status="${status}"`;
  const line = { labels, counts: Array(bounds.length + 1).fill(0), sum: 0 };
  const byMethod = byOperation.get(operationId) ?? new Map<string, Map<number, Line>>();
  const byStatus = byMethod.get(method) ?? new Map<number, Line>();
  byOperation.set(operationId, byMethod.set(method, byStatus.set(status, line)));
  lines.push(line);
  return line;
}

function describe({ labels, counts, sum }: Line): string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",${labels}} ${total}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
}
