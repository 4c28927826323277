// The conversion plan of a video, derived from ffprobe's output alone.

import Testing

@testable import Media

struct VideoPlanTests {
  private func picture(
    _ width: Int = 1280, _ height: Int = 720,
    _ change: (inout VideoProbe.Picture) -> Void = { _ in }
  ) -> VideoProbe.Picture {
    var picture = VideoProbe.Picture(
      stream: 0, codec: "h264", tag: "avc1", profile: "High", level: 40, pixelFormat: "yuv420p",
      width: width, height: height)
    picture.averageRate = .init(numerator: 30, denominator: 1)
    picture.baseRate = picture.averageRate
    change(&picture)
    return picture
  }

  private func plan(
    _ picture: VideoProbe.Picture, _ change: (inout MP4Layout) -> Void = { _ in }
  ) -> VideoPlan {
    var layout = MP4Layout()
    layout.hasIndexInFront = true
    change(&layout)
    return VideoPlan(probe, picture, layout: layout)
  }

  private var probe: VideoProbe {
    VideoProbe(
      json: Array(#"{"streams": [{"index": 1, "codec_type": "audio", "codec_name": "aac"}]}"#.utf8))
      ?? { preconditionFailure("this is JSON") }()
  }

  private func conversion(_ picture: VideoProbe.Picture) throws -> VideoPlan.Conversion {
    guard case .convert(let conversion) = plan(picture) else {
      throw MediaError(.toolFailed, "It is not converted.")
    }
    return conversion
  }

  @Test func `H_264 and AAC with the index in front are not converted`() {
    #expect(plan(picture()) == .asItIs)
    #expect(plan(picture(1080, 1920)) == .asItIs)
    #expect(plan(picture { $0.pixelFormat = "yuvj420p" }) == .asItIs)
  }

  @Test func `a video in an unsupported container is remuxed without loss`() {
    #expect(plan(picture()) { $0.hasIndexInFront = false } == .copyPictures(.copied))
    #expect(plan(picture()) { $0.holdsOnlyMedia = false } == .copyPictures(.copied))
    #expect(plan(picture()) { $0.playsAllSound = false } == .copyPictures(.encoded))
    #expect(plan(picture { $0.tag = "avc3" }) == .copyPictures(.copied))
  }

  @Test func `a video that some browser cannot play is converted`() throws {
    let changes: [(inout VideoProbe.Picture) -> Void] = [
      { $0.codec = "hevc" }, { $0.profile = "High 10" }, { $0.pixelFormat = "yuv422p" },
      { $0.level = 52 }, { $0.rotation = -90 }, { $0.isInterlaced = true }, { $0.isHDR = true },
      { $0.pixelAspect = 4.0 / 3 }, { $0.width = 2560 }, { $0.startSeconds = 0.5 },
      { $0.averageRate = .init(numerator: 120, denominator: 1) },
    ]
    for change in changes { _ = try conversion(picture(1280, 720, change)) }
    for change: (inout MP4Layout) -> Void in [
      { $0.showsAllPictures = false }, { $0.isEven = false },
    ] {
      guard case .convert = plan(picture(), change) else {
        Issue.record("It is not converted.")
        return
      }
    }
  }

  @Test(arguments: [
    (3840, 2160, 0, 1920, 1080), (2160, 3840, 0, 1080, 1920), (3840, 2160, 90, 1080, 1920),
    (3840, 2160, -180, 1920, 1080), (4096, 1716, 0, 1920, 804), (1440, 1440, 90, 1080, 1080),
    (641, 361, 90, 360, 640), (8192, 16, 0, 1920, 16),
  ])
  func `a picture is not enlarged and keeps its aspect ratio`(
    width: Int, height: Int, rotation: Int, shownWidth: Int, shownHeight: Int
  ) throws {
    let made = try conversion(
      picture(width, height) {
        $0.codec = "hevc"
        $0.rotation = rotation
      })
    #expect(made.width == shownWidth && made.height == shownHeight, "\(made)")
  }

  @Test(arguments: [
    (29.97, 29.97, "30000/1001"), (29.83, 30.0, "30/1"), (24.9, 90_000, "25/1"),
    (240.0, 240.0, "60/1"), (0.5, 0.5, "10/1"), (0, 0, "30/1"), (12.34, 12.34, "12340/1000"),
    (14.2, 30.0, "30/1"), (59.94, 59.94, "60000/1001"),
  ])
  func `pictures have a constant rate, which is the original one`(
    average: Double, base: Double, rate: String
  ) throws {
    func fraction(_ value: Double) -> VideoProbe.Fraction {
      .init(numerator: Int((value * 1000).rounded()), denominator: 1000)
    }
    let made = try conversion(
      picture {
        $0.codec = "hevc"
        $0.averageRate = fraction(average)
        $0.baseRate = fraction(base)
      })
    #expect(made.rate.text == rate)
  }
}
