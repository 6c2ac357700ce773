export type { ChatTurnRunner } from './operations/chat-turn-to-run.ts';
export {
  projectsSeenBy,
  readChatMessages as readSaidInChat,
  readChatSessionsOfProject,
  readChatsThatMaySay,
  type StoredChatSession,
} from './store/chat-sessions.ts';
export { beatChatTurns, readChatDecisions } from './store/chat-turns.ts';
export { runChatTurn } from './turns/run-chat-turn.ts';
