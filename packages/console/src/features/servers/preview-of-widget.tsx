/**
 * The preview of a tool call with a widget, rendered in the service's browser. The user can try
 * steps before writing them into a case. Each preview starts with a new widget, so that equal steps
 * give equal results.
 */
import '../../kit/styles/widgets.css';
import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import type { Json, WidgetAction } from '@proofmark/domain';
import { widgetActionWords } from '@proofmark/report';
import { useState } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import type { ServerIds } from '../../kit/data/server-lists.ts';
import { WidgetSeen } from '../widgets/index.ts';
import { CallFailure } from './call-failure.tsx';
import { usePreviewWidget } from './data/server-calls.ts';
import { TryAction } from './try-action.tsx';

type Preview = OutputOf<'previewWidget'>;

export function PreviewOfWidget(props: {
  ids: ServerIds;
  toolName: string;
  parameters: Json;
  result: OutputOf<'callTool'>;
}) {
  const { ids, toolName, parameters, result } = props;
  const [actions, setActions] = useState<readonly WidgetAction[]>([]);
  const preview = usePreviewWidget(ids);
  const show = (next: readonly WidgetAction[]) => {
    setActions(next);
    preview.start({ toolName, arguments: { ...parameters }, result, actions: [...next] });
  };
  const { data, error, isPending } = preview;
  return (
    <section className="widget-preview" aria-label="Widget as users see it" aria-busy={isPending}>
      <h4>Widget as users see it</h4>
      <p className="hint">
        This tool names a widget. It is opened in a browser of the service, apart from everything
        else; the tools that it calls itself are called for real.
      </p>
      <div className="actions">
        <button type="button" disabled={isPending} onClick={() => show(actions)}>
          {data === undefined ? 'Show the widget' : 'Show it again'}
        </button>
        {isPending && (
          <button type="button" onClick={preview.stop}>
            Stop
          </button>
        )}
      </div>
      {isPending && (
        <p className="loading" role="status">
          Opening the widget…
        </p>
      )}
      {error !== null && <PreviewFailure error={error} ids={ids} />}
      {data !== undefined && !isPending && (
        <>
          <WidgetSeen toolName={toolName} seen={data} pictures={picturesOf(data)} />
          {(data.status === 'rendered' || actions.length > 0) && (
            <>
              <TriedSteps
                toolName={toolName}
                actions={actions}
                answers={data.answers}
                onRemove={(index) => show(actions.filter((_, at) => at !== index))}
              />
              {actions.length < mostActions && (
                <TryAction onTry={(action) => show([...actions, action])} />
              )}
            </>
          )}
        </>
      )}
    </section>
  );
}

const mostActions = 20;

function PreviewFailure({ error, ids }: { error: Error; ids: ServerIds }) {
  if (!(error instanceof ApiError) || error.details['reason'] !== 'NO_BROWSER') {
    return <CallFailure error={error} ids={ids} />;
  }
  return (
    <div className="panel held" role="alert">
      <h3>There is no browser to show it in</h3>
      <p className="foreign-text">{error.message}</p>
      <p className="hint">Until then, steps and checks in widgets are not graded here either.</p>
    </div>
  );
}

function TriedSteps(props: {
  toolName: string;
  actions: readonly WidgetAction[];
  answers: Preview['answers'];
  onRemove: (index: number) => void;
}) {
  const { toolName, actions, answers } = props;
  if (actions.length === 0) return null;
  const steps = actions.map((action, index) => ({
    id: `act-${index + 1}`,
    kind: 'interact',
    toolName,
    action,
  }));
  return (
    <>
      <h4>Steps that were tried</h4>
      <ol className="widget-steps">
        {actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
          <li key={index}>
            <bdi>{`${index + 1}. ${widgetActionWords(action)}`}</bdi>
            <StepAnswer answer={answers[index]} />
            <button
              type="button"
              className="small"
              aria-label={`Remove step ${index + 1}`}
              onClick={() => props.onRemove(index)}
            >
              Remove
            </button>
          </li>
        ))}
      </ol>
      <details>
        <summary className="unfold-title">Details: steps of a case</summary>
        <CopyText block text={JSON.stringify(steps, null, 2)} label="Copy the steps" />
      </details>
    </>
  );
}

function StepAnswer({ answer }: { answer: Preview['answers'][number] | undefined }) {
  if (answer === undefined) return <span className="hint">not tried</span>;
  if (answer.ok) return <b className="tone-pass">done</b>;
  return (
    <span>
      <b className="tone-fail">failed</b> <bdi className="foreign-text">{answer.reason}</bdi>
    </span>
  );
}

function picturesOf({ pictures }: Preview) {
  return pictures.map(({ png, afterAction, width, height }) => ({
    source: `data:image/png;base64,${png}`,
    when: afterAction === null ? 'as it was first shown' : `after step ${afterAction + 1}`,
    width,
    height,
  }));
}
