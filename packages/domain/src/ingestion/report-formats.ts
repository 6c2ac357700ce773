export const reportFormats = ['junit-xml', 'jest-json', 'vitest-json'] as const;

export type ReportFormat = (typeof reportFormats)[number];
