// A QR code, dark on light in both themes: cameras read it best that way.

import type { QRDrawing } from './qrDrawing';

/** The code; `label` describes what scanning it does. */
export function QRCode({ code, label }: { code: QRDrawing; label: string }): JSX.Element {
  return (
    <svg
      className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${code.side} ${code.side}`}
      shapeRendering="crispEdges" data-testid="qr-code"
    >
      <path className="qr-dark" d={code.path} />
    </svg>
  );
}
