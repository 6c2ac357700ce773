import { PageFrame } from '../../kit/frame/page-frame.tsx';

export function BrokenPage(props: { error: unknown }) {
  return (
    <PageFrame
      title="This page failed"
      intro="Load it again. If it fails again, tell your operator."
    >
      <pre className="panel">
        {props.error instanceof Error ? props.error.message : String(props.error)}
      </pre>
      <div className="actions">
        <button type="button" onClick={() => window.location.reload()}>
          Load again
        </button>
      </div>
    </PageFrame>
  );
}
