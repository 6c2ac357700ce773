export * from './held-for-writing.ts';
export * from './lint-rules.ts';
export * from './lint-surface.ts';
export * from './schema-effect.ts';
export * from './surface-overlay.ts';
export * from './surface-report.ts';
export * from './touched-tools.ts';
export * from './what-if.ts';
