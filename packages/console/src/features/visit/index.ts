export { ApprovalCard } from './approval-card.tsx';
export { LinkedText } from './linked-text.tsx';
export { ownSessions } from './own-sessions.ts';
export { openedAddress, readShareAddress } from './share-address.ts';
export { ToolCall } from './tool-call.tsx';
export {
  newTurn,
  openCall,
  type ToolPart,
  type TurnPart,
  type TurnStatus,
  type TurnView,
  type VisitLine,
  withDecision,
  withLine,
  withPiece,
} from './turn-view.ts';
export { hasKeyboard, tooLongWords, usePen } from './use-pen.ts';
export { Visit } from './visit.ts';
export { visitCalls } from './visit-calls.ts';
export { VisitPage } from './visit-page.tsx';
export { VisitStore } from './visit-store.ts';
