/** The widgets of a trial as a user would have seen them, and the events in each widget. */
import '../../../kit/styles/widgets.css';
import { cleanText } from '@proofmark/domain';
import { shownPictures, type TrialWidget, WidgetSeen } from '../../widgets/index.ts';

export function TrialWidgetList({ widgets }: { widgets: readonly TrialWidget[] }) {
  return (
    <section aria-labelledby="widgets">
      <h2 id="widgets">Widgets</h2>
      {widgets.some(({ source }) => source === 'reported') && (
        <p className="hint">
          These were reported from outside. Nothing of them was run here, and HTML is not shown.
        </p>
      )}
      {widgets.map((widget, index) => (
        <article
          // biome-ignore lint/suspicious/noArrayIndexKey: one call may have opened several.
          key={index}
          className="panel widget"
        >
          <h3>
            <code>{cleanText(widget.toolName, false)}</code>{' '}
            {widget.serverName !== null && (
              <span className="hint">
                of <bdi>{cleanText(widget.serverName, false)}</bdi>
              </span>
            )}
          </h3>
          <WidgetSeen
            toolName={widget.toolName}
            seen={widget}
            pictures={shownPictures(widget.pictures)}
          />
        </article>
      ))}
    </section>
  );
}
