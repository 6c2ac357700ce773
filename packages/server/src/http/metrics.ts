import { collectDefaultMetrics, Registry } from 'prom-client';
import { createRequestTimes } from './request-times.ts';

export interface Metrics {
  observe(operationId: string, method: string, status: number, seconds: number): void;
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'proofmark_' });
  const times = createRequestTimes();
  return {
    observe: times.observe,
    text: async () => `${await registry.metrics()}\n${times.text()}`,
  };
}
