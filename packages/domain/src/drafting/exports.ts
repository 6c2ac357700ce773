/** What others use of drafting. */
export * from './case-mix.ts';
export * from './draft-cases.ts';
export * from './draft-swarms.ts';
export * from './draftable-tools.ts';
export * from './drafted-case.ts';
export * from './drafted-persona.ts';
export * from './first-suite-text.ts';
export * from './missing-drafts.ts';
export * from './model-drafts.ts';
export * from './model-swarm-drafts.ts';
export * from './prompt-styles.ts';
export * from './small-talk.ts';
