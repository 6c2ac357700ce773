import type { WidgetsHere } from '../../outside/browser/widgets-here.ts';
import type { Mailer } from '../../outside/mail/mailer.ts';
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { RunLimits } from '../../platform/spending/run-limits.ts';
import type { ModelsParts } from '../models/index.ts';

export interface AccountsParts extends Pick<ModelsParts, 'models' | 'partModels' | 'spending'> {
  /** The mailer, if the operator has configured mail. */
  readonly mailer: Mailer | undefined;
  readonly runLimits: RunLimits;
  /** The browser that renders widgets, if the operator wants one. */
  readonly widgets?: WidgetsHere | undefined;
}

export type AccountsContext = ActionContext & AccountsParts;
export type AccountsProject = ProjectContext & AccountsParts;
