export const visitBounds = {
  textBytes: 8192,
  clientTurnIdCharacters: 64,
  commentCharacters: 2000,
  turnsOfSession: 50,
  sessionsOfDay: 20,
  /**
   * The time limits of a turn: `turnMs` without the wait for approvals, and `wholeTurnMs` including
   * that wait.
   */
  turnMs: 120_000,
  wholeTurnMs: 600_000,
  approvalMs: 300_000,
  /**
   * The interval at which the process that runs a turn records that it is alive, and reads
   * approvals and requests to stop.
   */
  beatMs: 400,
  /** The time after which a turn is interrupted because its process sent no sign of life. */
  silentMs: 10_000,
  idleMs: 30 * 60_000,
  /** The time without a visit after which a browser is forgotten. */
  identityMs: 30 * 24 * 60 * 60_000,
  /** The length to which the output of a tool is cut for display. */
  toolTextCharacters: 2000,
} as const;

export const visitorTurnStatuses = [
  'running',
  'awaitingApproval',
  'completed',
  'failed',
  'stopped',
  'interrupted',
] as const;
export type VisitorTurnStatus = (typeof visitorTurnStatuses)[number];

export const approvalDecisions = ['approve', 'deny'] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

export const visitorMessageRoles = ['user', 'assistant', 'tool'] as const;
export type VisitorMessageRole = (typeof visitorMessageRoles)[number];

export interface VisitorMessage {
  readonly role: VisitorMessageRole;
  readonly text: string;
  readonly toolName?: string;
  readonly createdAt: number;
}
