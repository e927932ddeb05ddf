import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { addDays, dayOf, earlier, type UtcDay } from '../../core/figures/calendar.ts';
import { markedTitle } from '../model/labels.ts';
import { shownChains } from '../model/offered.ts';
import type { DateRange } from '../model/periods.ts';
import { drawableView, formatView, parseView, replacedInterval, rolled, type View } from '../model/view.ts';
import { showNext } from './focus.ts';

const currentDay = (): UtcDay => dayOf(Date.now() / 1_000);

/** The history entry of a zoom: the range before it. */
interface ZoomState {
  readonly zoomedFrom?: DateRange & Pick<View, 'range'>;
}

const currentView = (): ReturnType<typeof parseView> & ZoomState => ({
  ...parseView(location.search, currentDay(), shownChains),
  ...(history.state as ZoomState | null),
});

/** Follows links to other views without leaving the page, which would forget a key that it does not keep. */
function followInPage(event: MouseEvent, onView: () => void): void {
  const link = event.target instanceof Element && event.target.closest('a');
  const isOfPage = link && link.origin + link.pathname === location.origin + location.pathname;
  if (!isOfPage || link.target || link.hash || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  onView();
  showNext('main');
}

export type LinkedView = ReturnType<typeof useView>;

/** Keeps the view in the URL, each change as a history entry. An option that cannot be drawn stays there until it can be. */
export function useView() {
  const [linked, setLinked] = useState(currentView);
  const { view: chosen, problems, zoomedFrom } = linked;
  const today = currentDay();
  // At midnight, a rolling range moves on.
  const view = useMemo(() => drawableView(rolled(chosen, today)), [chosen, today]);
  const replaced = useMemo(() => replacedInterval(rolled(chosen, today)), [chosen, today]);
  useEffect(() => {
    const listening = new AbortController();
    const restore = () => setLinked(currentView());
    addEventListener('popstate', restore, listening);
    addEventListener('click', (event) => followInPage(event, restore), listening);
    return () => listening.abort();
  }, []);
  useLayoutEffect(() => {
    document.title = `${view.isMorning ? 'Morning' : markedTitle(view)} · Chain Insights`;
    for (const link of document.querySelectorAll<HTMLElement>('[data-view]'))
      link.ariaCurrent = link.dataset.view === (view.isMorning ? 'morning' : 'charts') ? 'page' : null;
  }, [view]);
  const show = (changed: View, state: ZoomState) => {
    history.pushState(state, '', `?${formatView(changed)}`);
    setLinked({ view: changed, problems: [], ...state });
  };
  /** Fixed days end a rolling range, and the days of one follow it. */
  const changed = ({ range, ...kept }: View, change: Partial<View>): View =>
    rolled({ ...kept, ...(range && !isRange(change) && { range }), ...change }, today);
  const isRange = (change: Partial<View>) => 'start_date' in change || 'end_date' in change;
  return {
    view,
    today,
    problems: [...problems, ...replaced],
    isZoomed: zoomedFrom !== undefined,
    change: (change: Partial<View>) =>
      show(changed(chosen, change), zoomedFrom && !isRange(change) ? { zoomedFrom } : {}),
    /** Shows other days; those after yesterday are left out. */
    zoom: (days: DateRange) => {
      const { range: preset, start_date, end_date } = view;
      const before = zoomedFrom ?? { start_date, end_date, ...(preset && { range: preset }) };
      const last = earlier(days.end_date, addDays(today, -1));
      show(changed(chosen, { start_date: days.start_date, end_date: last }), { zoomedFrom: before });
    },
    resetZoom: () => zoomedFrom && show(changed(chosen, zoomedFrom), {}),
    closeDay: () => {
      const { day, ...rest } = chosen;
      if (day) show(rest, zoomedFrom ? { zoomedFrom } : {});
    },
  };
}
