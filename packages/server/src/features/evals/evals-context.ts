/** What operations need that launch runs: servers and models. */
import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { ModelsParts } from '../models/models-context.ts';
import type { ServersParts } from '../servers/servers-context.ts';

export interface EvalsParts extends ServersParts, ModelsParts {}

export type EvalsContext = ActionContext & EvalsParts;
export type EvalsProject = ProjectContext & EvalsParts;
