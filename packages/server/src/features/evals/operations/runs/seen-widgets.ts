/**
 * Presents the widgets of a launched or reported trial. Pictures are identified by the hash of
 * their content.
 */
import { basePaths, EvalIterationWidget } from '@proofmark/contract';
import { isRecord, notFound, pngSize, reportedWidgets } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Document } from '../../../../platform/database/read-document.ts';
import { type ProjectContext, refuse } from '../../../../platform/operations/action.ts';
import { readWidgetPicture, readWidgets } from '../../store/stored-widgets.ts';

interface PlaceOfTrial {
  readonly runId: string;
  readonly iterationId: string;
}

interface SeenWidgets {
  readonly items: EvalIterationWidget[];
  readonly reported: ReadonlyMap<string, Uint8Array>;
}

export async function seenWidgets(
  context: ProjectContext,
  { runId, iterationId }: PlaceOfTrial,
): Promise<SeenWidgets> {
  const { id: projectId } = context.project;
  const seen =
    (await context.tenant((sql) => readWidgets(sql, projectId, runId, iterationId))) ??
    refuse(notFound);
  const folder = `${basePaths.api}/projects/${projectId}/eval-runs/${runId}/iterations/${iterationId}/widgets/pictures/`;
  const reported = new Map<string, Uint8Array>();
  const widgets = [
    ...seen.observations.map((observation) => ofRun(observation, folder)),
    ...ofReport(seen, folder, reported),
  ];
  // A widget with invalid stored data is omitted, so that the other widgets can be shown.
  const items = widgets.flatMap((widget) => EvalIterationWidget.safeParse(widget).data ?? []);
  return { items, reported };
}

/**
 * Returns only pictures that this trial's widgets reference. So the path of one trial gives no
 * access to pictures of other trials.
 */
export async function pictureOfTrial(
  context: ProjectContext,
  place: PlaceOfTrial,
  pictureId: string,
): Promise<Uint8Array> {
  const { items, reported } = await seenWidgets(context, place);
  const isNamed = items.some(({ pictures }) =>
    pictures.some(({ path }) => path.endsWith(`/${pictureId}`)),
  );
  if (!isNamed) refuse(notFound);
  const png =
    reported.get(pictureId) ??
    (await context.tenant((sql) => readWidgetPicture(sql, place.runId, pictureId)));
  return png !== undefined && pngSize(png) !== undefined ? png : refuse(notFound);
}

function ofRun(observation: Document, folder: string): object {
  const activity = isRecord(observation['trail']) ? observation['trail'] : {};
  const { size } = activity;
  return {
    ...nothing,
    ...observation,
    ...activity,
    source: 'run',
    calls: records(activity['calls']).map((call) => ({ message: null, ...call })),
    size: isRecord(size) ? { width: null, height: null, ...size } : null,
    pictures: records(observation['pictures']).map((picture) => ({
      stepId: null,
      ...picture,
      path: folder + picture['sha256'],
    })),
  };
}

function ofReport(
  { details, trace }: { readonly details: Document; readonly trace: Document },
  folder: string,
  kept: Map<string, Uint8Array>,
): object[] {
  return reportedWidgets(details, trace).map(({ pictures, ...widget }) => ({
    ...nothing,
    ...widget,
    source: 'reported',
    pictures: pictures.map(({ png, width, height }) => {
      const sha256 = sha256Hex(png);
      kept.set(sha256, png);
      return { stepId: null, width, height, bytes: png.length, path: folder + sha256 };
    }),
  }));
}

const nothing = {
  serverName: null,
  toolCallId: null,
  promptIndex: null,
  elapsedMs: null,
  message: null,
  consoleLines: [],
  calls: [],
  messages: [],
  links: [],
  refused: [],
  pictures: [],
  size: null,
  dropped: {},
  accessibility: null,
};

function records(value: unknown): readonly Document[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
