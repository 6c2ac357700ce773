/** The kinds of conversations whose traces can be exported. */
export const exportSources = ['eval', 'swarm', 'scenario'] as const;
export type ExportSource = (typeof exportSources)[number];
