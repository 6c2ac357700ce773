import type { Mailer } from '../../outside/mail/mailer.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { EvalsParts } from '../evals/index.ts';

export interface UserTestingParts extends EvalsParts {
  /** Undefined if the operator has not configured mail. */
  readonly mailer: Mailer | undefined;
}

export type UserTestingContext = ActionContext & UserTestingParts;
export type UserTestingProject = ProjectContext & UserTestingParts;
