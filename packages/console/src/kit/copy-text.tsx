/**
 * A text with a copy button. Outside a secure context (HTTPS), browsers offer no clipboard API. The
 * text is then selected and copied with `document.execCommand`.
 */
import { useRef, useState } from 'react';

export function CopyText(props: { text: string; label: string; block?: boolean }) {
  const code = useRef<HTMLElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'selected'>();
  const copy = async () => {
    setOutcome((await copyText(props.text, code.current as HTMLElement)) ? 'copied' : 'selected');
  };
  const copied = outcome === 'copied';
  return (
    <div className={props.block ? 'copy block' : 'copy'}>
      {props.block ? (
        <pre>
          <code ref={code}>{props.text}</code>
        </pre>
      ) : (
        <code ref={code}>{props.text}</code>
      )}
      <span className="copy-side">
        <button
          type="button"
          className="small"
          aria-label={copied ? `${props.label}: Copied` : props.label}
          onClick={() => void copy()}
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
        <span role="status" className={copied ? 'unseen' : 'hint'}>
          {copied && 'Copied to the clipboard.'}
          {outcome === 'selected' && 'Selected. Press Ctrl+C or ⌘C.'}
        </span>
      </span>
    </div>
  );
}

async function copyText(text: string, shownIn: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(shownIn);
    return document.execCommand('copy');
  }
}
