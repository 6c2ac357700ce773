import { type ListedServers, listNoTools } from './listed-tools.ts';
import type { PlannedCase } from './planned-case.ts';
import { asksModel } from './step.ts';

export type WhyNoCall = 'noPrompt' | 'noToolChoice' | 'noTools';

/** Returns undefined if a model can call a tool. */
export function whyNoCall(
  { steps, toolChoice }: Pick<PlannedCase, 'steps' | 'toolChoice'>,
  servers: ListedServers,
): WhyNoCall | undefined {
  if (!steps.some(asksModel)) return 'noPrompt';
  if (toolChoice === 'none') return 'noToolChoice';
  return listNoTools(servers) ? 'noTools' : undefined;
}
