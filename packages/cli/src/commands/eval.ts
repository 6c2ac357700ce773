import { Command } from 'commander';
import { evalCancelCommand } from './eval/cancel.ts';
import { evalCompareCommand } from './eval/compare.ts';
import type { LoadTokenCounter } from './eval/compare-files.ts';
import { evalDecisionCommand } from './eval/decision.ts';
import { evalGateCommand } from './eval/gate.ts';
import { evalGroupsCommand } from './eval/groups.ts';
import { evalInsightsCommand } from './eval/insights.ts';
import { evalIterationsCommand } from './eval/iterations.ts';
import { evalListCommand } from './eval/list.ts';
import { evalPlanCommand } from './eval/plan.ts';
import { evalReplayCommand } from './eval/replay.ts';
import { evalRerunCommand } from './eval/rerun.ts';
import { evalRunCommand } from './eval/run.ts';
import { evalStatisticsCommand } from './eval/statistics.ts';
import { evalStatusCommand } from './eval/status.ts';
import { evalStepsCommand } from './eval/steps.ts';
import { evalSurfaceCommand } from './eval/surface.ts';
import { evalTraceCommand } from './eval/trace.ts';
import { evalWaiveCommand } from './eval/waive.ts';
import { evalWatchCommand } from './eval/watch.ts';
import { evalWhatIfCommand } from './eval/whatif.ts';
import type { OwnService } from './test/open-service.ts';

export function evalCommand(loadTokenCounter?: LoadTokenCounter, own?: OwnService): Command {
  const group = new Command('eval').description(
    'start runs, read and compare their results, and gate on them',
  );
  for (const command of [
    evalRunCommand(),
    evalListCommand(own),
    evalWatchCommand(),
    evalStatusCommand(),
    evalDecisionCommand(),
    evalIterationsCommand(),
    evalTraceCommand(),
    evalStepsCommand(),
    evalCancelCommand(),
    evalCompareCommand(loadTokenCounter, own),
    evalSurfaceCommand(own),
    evalWhatIfCommand(),
    evalReplayCommand(),
    evalRerunCommand(),
    evalGateCommand(),
    evalWaiveCommand(),
    evalInsightsCommand(),
    evalStatisticsCommand(own),
    evalPlanCommand(own),
    evalGroupsCommand(),
  ]) {
    group.addCommand(command);
  }
  return group;
}
