/**
 * A scrolling area. If its content does not fit, it can be focused and scrolled by keyboard, and
 * has a label for screen readers.
 */
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';

export function Scrolling(props: {
  label: string;
  /**
   * The element (default: `pre`). A `section` always has a label for screen readers; a `pre` only
   * while it can be scrolled.
   */
  as?: 'pre' | 'section';
  className?: string;
  children: ReactNode;
}) {
  const { as: Tag = 'pre', label, className, children } = props;
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const measure = useCallback(() => setScrolls(isTooSmall(box.current as HTMLElement)), []);
  // Measures after each render. New content does not resize an area that is already full, so the
  // ResizeObserver would miss it.
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(box.current as HTMLElement);
    return () => observer.disconnect();
  }, [measure]);
  return (
    <Tag
      ref={box as never}
      className={className}
      {...((scrolls || Tag === 'section') && { role: 'region', 'aria-label': label })}
      {...(scrolls && { tabIndex: 0 })}
    >
      {children}
    </Tag>
  );
}

/** Whether the content overflows. A difference of one pixel may be rounding and does not count. */
function isTooSmall({
  scrollHeight,
  clientHeight,
  scrollWidth,
  clientWidth,
}: HTMLElement): boolean {
  return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;
}
