export * from './seal-file.ts';
export * from './trust-store.ts';
export * from './user-folders.ts';
