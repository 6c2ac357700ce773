/**
 * The input of one turn of the agent. Sizes are counted in UTF-8 bytes, so that programs in any
 * language count the same.
 */
export const agentRoles = ['user', 'assistant'] as const;

export interface AgentMessage {
  readonly role: (typeof agentRoles)[number];
  readonly content: string;
}

export const agentBounds = {
  messages: 50,
  contentBytes: 8_192,
  allContentBytes: 98_304,
  /** Maximum number of model answers in one turn. */
  steps: 16,
  /**
   * Maximum number of calls that a model may request in one answer. Each call may read a page of
   * the project's data.
   */
  callsPerStep: 100,
  /** Maximum size of one call's result as passed to the model. */
  resultCharacters: 24_000,
  /**
   * Maximum size of all results in a turn. The model reads them again for each further answer, and
   * the organization pays for it.
   */
  turnCharacters: 384_000,
  /** Maximum number of suites that one turn may create. */
  suites: 5,
  turnMs: 90_000,
  /** Maximum number of concurrent turns in an organization, across all processes. */
  turnsAtOnce: 4,
  /** Lifetime of a turn's slot: longer than a turn, so that a running turn never loses its slot. */
  slotMs: 100_000,
} as const;

export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

export const askWhatIsWanted = 'What would you like me to look up, or which suite shall I create?';
