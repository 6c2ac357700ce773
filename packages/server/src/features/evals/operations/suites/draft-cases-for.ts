import {
  type DraftedCase,
  type DraftTool,
  type DraftWish,
  draftCases,
  readDraftAnswer,
  writeDraftRequest,
} from '@proofmark/domain';
import { askDrafter, type Drafted } from '../../../models/index.ts';
import type { EvalsProject } from '../../evals-context.ts';

export function draftCasesFor(
  context: EvalsProject,
  tools: readonly DraftTool[],
  wish: DraftWish,
): Promise<Drafted<DraftedCase>> {
  return askDrafter(context, {
    what: 'cases',
    byRules: () => draftCases(tools, wish),
    request: () => writeDraftRequest(tools, wish),
    read: (text) => readDraftAnswer(text, tools, wish),
  });
}
