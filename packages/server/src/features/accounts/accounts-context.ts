import type { Retention } from '@proofmark/domain';
import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { Mailer } from '../../outside/mail/mailer.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { RunLimits } from '../../platform/spending/run-limits.ts';
import type { ModelsParts } from '../models/index.ts';

export interface AccountsParts extends Pick<ModelsParts, 'models' | 'partModels' | 'spending'> {
  readonly mailer: Mailer | undefined;
  readonly runLimits: RunLimits;
  /** How long data is stored where an organization has no rule (default: forever). */
  readonly retention?: Retention | undefined;
  /** Undefined if the operator has switched off the rendering of widgets. */
  readonly widgets?: WidgetsHere | undefined;
}

export type AccountsContext = ActionContext & AccountsParts;
export type AccountsProject = ProjectContext & AccountsParts;
