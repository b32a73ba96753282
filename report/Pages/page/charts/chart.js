// Models drawn by ECharts.
import { init, use } from 'echarts/core';
import { CustomChart, LineChart } from 'echarts/charts';
import { DataZoomInsideComponent, GridComponent, TooltipComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { scaleOf } from './axes.js';
import { barsOption, stacksOption } from './bars.js';
import { linesOption } from './lines.js';
import { mapOption } from './map.js';

use([CustomChart, LineChart, DataZoomInsideComponent, GridComponent, TooltipComponent, SVGRenderer]);

const options = { lines: linesOption, bars: barsOption, stacks: stacksOption, ranks: stacksOption, map: mapOption };

// A chart in an element. Zoomed is told the part of the axis that is shown, in percent.
export function chartIn(holder, zoomed) {
  const chart = init(holder, null, { renderer: 'svg' });
  chart.on('datazoom', () => {
    const { start, end } = chart.getOption().dataZoom[0];
    zoomed(start, end);
  });
  return {
    resize: width => chart.resize(width ? { width } : undefined),
    draw(model, log, zoom) {
      const page = look(model, log, holder.clientWidth, zoom);
      holder.style.height = page.height ? `${page.height}px` : '';
      chart.resize();
      chart.setOption(page.option, { notMerge: true });
    },
  };
}

function look(model, log, width, zoom) {
  const css = getComputedStyle(document.documentElement);
  const of = name => css.getPropertyValue(`--${name}`).trim();
  const theme = {
    ground: of('ground'),
    text: of('text'),
    faint: of('faint'),
    line: of('line'),
    grid: of('grid'),
    plain: of('plain'),
    font: getComputedStyle(document.body).fontFamily,
  };
  const colorOf = library => library.color ?? theme.plain;
  const optionOf = options[model.kind];
  const made = optionOf({ model, log, width, theme, colorOf, y: scaleOf(model, log) });
  return {
    height: made.height,
    option: {
      animation: false,
      backgroundColor: 'transparent',
      textStyle: { fontFamily: theme.font, color: theme.text },
      tooltip: {
        trigger: 'axis',
        confine: true,
        backgroundColor: theme.ground,
        borderColor: theme.line,
        borderWidth: 1,
        className: 'tip',
        textStyle: { color: theme.text, fontFamily: theme.font, fontSize: 13 },
        transitionDuration: 0,
        axisPointer: {
          type: model.kind === 'lines' ? 'line' : 'shadow',
          snap: true,
          lineStyle: { color: theme.faint },
          shadowStyle: { color: theme.faint, opacity: 0.12 },
        },
        ...made.tooltip,
      },
      ...made.option,
      ...(zoom && made.zooms !== false ? { dataZoom: [zoomOf(zoom)] } : {}),
    },
  };
}

const zoomOf = ([start, end]) => ({
  type: 'inside',
  xAxisIndex: 0,
  start,
  end,
  filterMode: 'none',
  zoomOnMouseWheel: 'ctrl',
  moveOnMouseMove: true,
  moveOnMouseWheel: false,
  preventDefaultMouseMove: false,
  minSpan: 2,
});
