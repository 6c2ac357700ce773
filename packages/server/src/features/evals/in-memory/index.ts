/**
 * Replays recordings of suite files in this process, for commands that need no service. Loads the
 * code that grades a conversation, but no code that opens a database, listens on a port or calls a
 * server. Models and the browser are loaded only for suites that call a judge again or show a
 * widget.
 */
import { defaultWidgetMemoryMb } from '@proofmark/domain';
import { findChromium } from '../../../outside/browser/find-chromium.ts';
import type { WidgetRenderer } from '../../../outside/browser/widget-renderer.ts';
import type { WidgetsHere } from '../../../outside/browser/widgets-here.ts';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { offerOfNoProvider } from '../../../outside/model/offer-of-providers.ts';
import { linearPatterns } from '../../../outside/patterns/linear-patterns.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { InMemoryProject } from './in-memory-project.ts';
import type { InMemoryDependencies } from './launch-in-memory.ts';

export { checkedBody, refusalIn } from './checked-body.ts';
export type { InMemoryProject } from './in-memory-project.ts';

export interface Replay {
  readonly project: InMemoryProject;
  stop(): Promise<void>;
}

/**
 * Reads no settings. Looks for an installed browser in the usual places of each operating system.
 */
export function openReplay({ showsWidgets }: { readonly showsWidgets: boolean }): Replay {
  const chromium = findChromium(showsWidgets ? undefined : 'off', {});
  const widgets: WidgetsHere = 'missing' in chromium ? chromium : rendererWhenNeeded(chromium.path);
  const models = modelsWhenNeeded();
  const noWidgets = 'missing' in widgets ? widgets.missing : null;
  const project = new InMemoryProject({
    models,
    patterns: linearPatterns,
    widgets,
    limits: { ...defaultRunLimits, noWidgets },
  });
  return {
    project,
    async stop() {
      await project.close();
      await models.close();
      if (!('missing' in widgets)) await widgets.close();
    },
  };
}

/** The same egress rules as for a service that one person uses on their own machine. */
const egress = { allowLoopback: true, allowedPrivateHosts: [] };

function modelsWhenNeeded(): InMemoryDependencies['models'] & Pick<ModelGateway, 'close'> {
  let loading: Promise<ModelGateway> | undefined;
  const load = async () => {
    const { createModelGateway } = await import('../../../outside/model/create-model-gateway.ts');
    return createModelGateway({ egress });
  };
  return {
    offer: offerOfNoProvider(),
    priceOf: () => undefined,
    isPaidByOperator: ({ hosted }) => hosted,
    async generate(...asked) {
      loading ??= load();
      return (await loading).generate(...asked);
    },
    // If loading failed, there is nothing to close.
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}

function rendererWhenNeeded(path: string): WidgetRenderer {
  let loading: Promise<WidgetRenderer> | undefined;
  const load = async () => {
    const { createWidgetRenderer } = await import(
      '../../../outside/browser/create-widget-renderer.ts'
    );
    const memoryBytes = defaultWidgetMemoryMb * 1024 * 1024;
    return createWidgetRenderer({ chromium: { path }, egress, memoryBytes });
  };
  const renderer = () => {
    loading ??= load();
    return loading;
  };
  return {
    open: async (...asked) => (await renderer()).open(...asked),
    browser: async () => (await renderer()).browser(),
    close: async () => (await loading?.catch(() => undefined))?.close(),
  };
}
