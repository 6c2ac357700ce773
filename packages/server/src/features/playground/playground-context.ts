import type { ProjectContext } from '../../platform/operations/action.ts';
import type { EvalsParts } from '../evals/index.ts';
import type { ChatTurnRunner } from './operations/chat-turn-to-run.ts';

export interface PlaygroundParts extends EvalsParts {
  readonly turns: ChatTurnRunner;
}

export type PlaygroundProject = ProjectContext & PlaygroundParts;
