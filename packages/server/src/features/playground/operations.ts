import type { Operations } from '../../platform/operations/action.ts';
import { chatActions } from './operations/chat-actions.ts';
import { listChatSessions } from './operations/list-chat-sessions.ts';
import type { PlaygroundParts } from './playground-context.ts';

export const playgroundOperations = {
  ...chatActions,
  listChatSessions,
} satisfies Operations<PlaygroundParts>;
