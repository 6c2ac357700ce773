export * from './seal-place.ts';
export * from './trust-store.ts';
export * from './user-folders.ts';
