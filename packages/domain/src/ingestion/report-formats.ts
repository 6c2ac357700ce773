/** Test reports of other tools that can be taken in place of results. */
export const reportFormats = ['junit-xml', 'jest-json', 'vitest-json'] as const;

export type ReportFormat = (typeof reportFormats)[number];
