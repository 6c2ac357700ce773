export * from './errors.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './types.ts';
export * from './version.ts';
