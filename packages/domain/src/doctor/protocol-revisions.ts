/**
 * The revisions of MCP that Proofmark speaks, newest first. Modern revisions are stateless: each
 * request states the revision. Legacy revisions begin with a handshake.
 */
export const protocolRevisions = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const;
export type ProtocolRevision = (typeof protocolRevisions)[number];

export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

export const firstModernRevision = '2026-07-28';

/** Revisions are dates, so their order is that of their texts. */
export function isModernRevision(revision: string): boolean {
  return revision >= firstModernRevision;
}

export function eraOf(revision: string): Era {
  return isModernRevision(revision) ? 'modern' : 'legacy';
}
