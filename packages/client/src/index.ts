export * from './client.ts';
export * from './client-options.ts';
export * from './errors.ts';
export type { Progress } from './watch.ts';
