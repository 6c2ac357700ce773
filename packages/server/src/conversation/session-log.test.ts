import { expect, test } from 'vitest';
import { SessionLog } from './session-log.ts';

interface CallFields {
  readonly args?: object;
  readonly hasFailed?: boolean;
}

/**
 * Returns the hash of a session with one turn and one call. Only the call differs between tests.
 */
function hashOf({ args = { day: 'Sunday' }, hasFailed = false }: CallFields): string {
  const log = new SessionLog(() => 0, { intents: () => null });
  log.openTurn(0);
  log.conversation.push({ by: 'user', text: 'Book it.' }, { by: 'assistant', text: 'Done.' });
  log.addCall({ toolName: 'book', arguments: { ...args }, serverId: 'srv_1' }, 0, 'tool-1');
  if (hasFailed) {
    log.toolErrors.push({
      kind: 'content-error',
      toolName: 'book',
      sentence: 'It failed.',
      promptIndex: 0,
      spanId: 'tool-1',
    });
  }
  return log.finish({ kind: 'personaEnded' }).transcriptHash;
}

test('sessions are copies only where they called the same, to the same end', () => {
  expect(hashOf({})).toBe(hashOf({}));
  expect(hashOf({ hasFailed: true })).not.toBe(hashOf({}));
  expect(hashOf({ args: { day: 'Monday' } })).not.toBe(hashOf({}));
});
