export * from './errors.ts';
export { largestArtifactBytes } from './eval-ingest/shapes.ts';
export * from './idempotency-key.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './published-schemas.ts';
export * from './types.ts';
export * from './version.ts';
