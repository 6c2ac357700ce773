import { version } from '@proofmark/contract';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  observe(operationId: string, method: string, status: number, seconds: number): void;
  text(): Promise<string>;
}

/**
 * Creates the metrics. `addMore` adds the metrics of other parts of the service, and returns a
 * function that is called before each reading.
 */
export function createMetrics(addMore: (registry: Registry) => () => Promise<void>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'proofmark_' });
  // Removes the sums of other gauges: their names end in `_total`, which is reserved for counters.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`proofmark_nodejs_active_${what}_total`);
  const times = new Histogram({
    name: 'proofmark_request_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [registry],
  });
  new Gauge({
    name: 'proofmark_info',
    help: 'Always 1; its label is the version of Proofmark.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  const readMore = addMore(registry);
  return {
    observe: (operation, method, status, seconds) =>
      times.observe({ operation, method, status }, seconds),
    async text() {
      await readMore();
      return registry.metrics();
    },
  };
}
