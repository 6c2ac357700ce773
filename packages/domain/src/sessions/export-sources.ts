export const exportSources = ['eval', 'swarm', 'scenario'] as const;
export type ExportSource = (typeof exportSources)[number];
