// Draws the wave onto a canvas of device pixels: all of it after a zoom, only what is new after a pan.
//
// The canvas is a stencil: the ground, with the wave cut out of it. What lies behind lends the wave
// its colours, so that a selection is coloured without drawing the wave again.

import {
  columnsOf, gridOf, repaintBetween, samplesOf, showsSamples, type ColumnGrid, type ColumnSpan, type TileLookup,
} from './columns';
import type { Viewport } from './viewport';

/** Samples further apart than this, in CSS pixels, get a dot each. */
const dotPixels = 6;
/** Room above and below the loudest sample, as a share of the height. */
const margin = 0.04;

/** The wave on one canvas. */
export class WavePainter {
  private drawn: ColumnGrid | null = null;
  private colour: string | null = null;
  private complete = false;

  /** `gain` makes a quiet track fill the height. */
  constructor(
    private readonly canvas: HTMLCanvasElement, private readonly lookup: TileLookup,
    private readonly gain: () => number,
  ) {}

  /** Whether all that is seen was drawn as finely as it can be. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** Draws everything anew next time; after another theme the colour as well. */
  forget(): void {
    this.drawn = null;
    this.colour = null;
  }

  /** Draws the view, which is `height` CSS pixels high. */
  paint(view: Viewport, height: number, devicePixelRatio: number): void {
    const { canvas } = this;
    const grid = gridOf(view, devicePixelRatio);
    const rows = Math.round(height * devicePixelRatio);
    if (canvas.width !== grid.count || canvas.height !== rows) {
      canvas.width = grid.count;
      canvas.height = rows;
      this.drawn = null;
    }
    const repaint = repaintBetween(this.drawn, grid);
    if (!repaint) return;
    const context = canvas.getContext('2d');
    if (!context) return;
    const { from, to } = repaint.draw;
    if (repaint.shift === null) {
      this.complete = true;
      context.clearRect(0, 0, grid.count, rows);
    } else {
      context.globalCompositeOperation = 'copy';
      context.drawImage(canvas, repaint.shift, 0);
      context.globalCompositeOperation = 'source-over';
      context.clearRect(from, 0, to - from, rows);
    }
    this.drawn = grid;
    this.setColour(context);
    if (!showsSamples(grid.framesPerColumn) || !this.drawSamples(context, view, grid, repaint.draw, devicePixelRatio)) {
      this.drawColumns(context, view, grid, repaint.draw, devicePixelRatio);
    }
  }

  /** One plain colour: a gradient would cost thirty times as much to fill. */
  private setColour(context: CanvasRenderingContext2D): void {
    this.colour ??= getComputedStyle(this.canvas).color;
    context.fillStyle = this.colour;
    context.strokeStyle = this.colour;
  }

  private drawColumns(
    context: CanvasRenderingContext2D, view: Viewport, grid: ColumnGrid, span: ColumnSpan, devicePixelRatio: number,
  ): void {
    const columns = columnsOf(
      grid.first + span.from, span.to - span.from, grid.framesPerColumn, view.lengthFrames, this.lookup,
    );
    if (!columns.isComplete || showsSamples(grid.framesPerColumn)) this.complete = false;
    const rows = this.canvas.height;
    const middle = rows / 2;
    const scale = this.scale();
    const least = Math.max(1, Math.round(devicePixelRatio));
    for (let column = 0; column < columns.low.length; column += 1) {
      const low = columns.low[column] ?? 0;
      const high = columns.high[column] ?? 0;
      if (low > high) {
        context.fillRect(span.from + column, 0, 1, rows);
        continue;
      }
      const top = Math.round(middle - high * scale);
      const bottom = Math.round(middle - low * scale);
      const height = Math.max(least, bottom - top);
      const y = bottom - top < least ? Math.round((top + bottom - least) / 2) : top;
      // The ground above and below: cutting the wave out of it would take three times as long.
      context.fillRect(span.from + column, 0, 1, y);
      context.fillRect(span.from + column, y + height, 1, rows - y - height);
    }
  }

  /** Draws single samples; false when they are not here yet. */
  private drawSamples(
    context: CanvasRenderingContext2D, view: Viewport, grid: ColumnGrid, span: ColumnSpan, devicePixelRatio: number,
  ): boolean {
    const points = samplesOf(grid, span.from, span.to, view.lengthFrames, this.lookup);
    if (points.length === 0) return false;
    const middle = this.canvas.height / 2;
    const scale = this.scale();
    const dot = 1 / grid.framesPerColumn >= dotPixels * devicePixelRatio ? 2.75 * devicePixelRatio : 0;
    context.save();
    context.beginPath();
    context.rect(span.from, 0, span.to - span.from, this.canvas.height);
    context.clip();
    context.fillRect(span.from, 0, span.to - span.from, this.canvas.height);
    context.globalCompositeOperation = 'destination-out';
    context.lineWidth = 1.75 * devicePixelRatio;
    context.lineJoin = 'round';
    context.beginPath();
    for (const { x, value } of points) context.lineTo(x, middle - value * scale);
    context.stroke();
    if (dot > 0) {
      context.beginPath();
      for (const { x, value } of points) {
        const y = middle - value * scale;
        context.moveTo(x + dot, y);
        context.arc(x, y, dot, 0, 2 * Math.PI);
      }
      context.fill();
    }
    context.restore();
    return true;
  }

  private scale(): number {
    return (this.gain() * this.canvas.height * (0.5 - margin)) / 128;
  }
}
