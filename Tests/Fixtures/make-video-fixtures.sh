#!/bin/sh
# Makes the videos that the tests read, with ffmpeg, into a folder: make-video-fixtures.sh DIR
# Nothing is made when the folder is already there. Each file is named after what is special, or
# wrong, about it. All are small and short; the whole takes a few seconds.
set -eu

target=$1
[ -d "$target" ] && exit 0
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

make() { ffmpeg -nostdin -v error -y "$@"; }

# Two seconds of moving pictures at 15 a second, and a tone.
seconds=2
picture() { echo "-f lavfi -i testsrc=s=$1:r=15:d=$seconds"; }
sound="-f lavfi -i sine=f=440:r=48000:d=$seconds"
h264="-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
aac="-c:a aac -b:a 64k"

# What every browser plays as it is.
make $(picture 160x120) $sound $h264 $aac -movflags +faststart plays-everywhere.mp4
make $(picture 160x120) $h264 -movflags +faststart silent.mp4
make $(picture 90x160) $sound $h264 $aac -movflags +faststart portrait.mp4

# What needs another container, or a sound that every browser plays.
make -i plays-everywhere.mp4 -c copy index-at-the-end.mp4
make -i plays-everywhere.mp4 -c copy camera.mov
make -i plays-everywhere.mp4 -c copy camera.mkv
make -i plays-everywhere.mp4 -c:v copy -c:a pcm_s16be pcm-sound.mov
make -i plays-everywhere.mp4 -c:v copy -c:a libopus opus-sound.mkv
make -i plays-everywhere.mp4 -c copy -movflags frag_keyframe+empty_moov+default_base_moof fragmented.mp4
printf '1\n00:00:00,000 --> 00:00:01,000\nand one, and two\n' >words.srt
make -i plays-everywhere.mp4 -i words.srt -c copy subtitles.mkv
make -i plays-everywhere.mp4 -i words.srt -c copy -c:s mov_text -movflags +faststart subtitles.mp4
place="+48.2082+016.3738/"
make -i plays-everywhere.mp4 -c copy -movflags +faststart -metadata location="$place" \
  -metadata artist="The Owner" place-in-udta.mov
make -i plays-everywhere.mp4 -c copy -movflags +faststart+use_metadata_tags \
  -metadata com.apple.quicktime.location.ISO6709="$place" \
  -metadata com.apple.quicktime.author="The Owner" place-in-keys.mov

# What must be converted.
make $(picture 160x120) $sound -c:v libx265 -preset ultrafast -x265-params log-level=none \
  -pix_fmt yuv420p -tag:v hvc1 $aac -metadata location="$place" hevc.mov
make $(picture 160x120) $sound -c:v libx265 -preset ultrafast -x265-params log-level=none \
  -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc \
  -tag:v hvc1 $aac hdr-hlg.mov
make $(picture 160x120) $sound -c:v libx264 -preset ultrafast -pix_fmt yuv420p10le $aac ten-bit.mp4
make $(picture 160x120) $sound -c:v libx264 -preset ultrafast -pix_fmt yuv444p $aac 444.mp4
make $(picture 160x120) $sound -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis vp8.webm
make $(picture 160x120) $sound -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus vp9.webm
make $(picture 160x120) $sound -c:v libsvtav1 -preset 12 -c:a libopus av1.mp4 2>/dev/null
make $(picture 160x120) $sound -c:v mpeg4 -c:a libmp3lame mpeg4.avi
make $(picture 160x120) $sound -c:v mjpeg -pix_fmt yuvj420p -c:a pcm_u8 mjpeg.avi
make $(picture 176x144) $sound -c:v h263 $aac h263.3gp
make $(picture 160x120) $sound -c:v prores_ks -c:a pcm_s16le prores.mov
make $(picture 160x120) $sound -c:v libtheora -c:a libvorbis theora.ogv
make $(picture 160x120) $sound -r 25 -c:v mpeg2video -c:a mp2 camcorder.mpg
make $(picture 160x120) $sound -r 25 -c:v mpeg1video -c:a mp2 video-cd.mpg
make $(picture 160x120) $sound $h264 -c:a ac3 camcorder.mts
make -f lavfi -i testsrc=s=161x121:r=15:d=$seconds $sound -c:v libx264 -preset ultrafast \
  -pix_fmt yuv444p $aac odd-size.mp4
make $(picture 144x120) -vf setsar=4/3 $h264 -movflags +faststart wide-pixels.mp4
make $(picture 1920x1440) -t 0.4 $h264 -movflags +faststart four-to-three-large.mp4
make -f lavfi -i testsrc=s=160x120:r=120:d=1 $h264 -movflags +faststart 120-pictures.mp4
make -f lavfi -i testsrc=s=160x120:r=30:d=$seconds -flags +ilme+ildct -vf setfield=tff \
  -c:v libx264 -x264-params tff=1 -pix_fmt yuv420p -movflags +faststart interlaced.mp4
# Phones write the picture as the sensor lies, and how to turn it.
make -i plays-everywhere.mp4 -c copy -metadata:s:v rotate=90 -movflags +faststart turned-90.mp4
make -i hevc.mov -c copy -metadata:s:v rotate=180 turned-180.mov
# Pictures at uneven times: each second begins with three, then there is a pause.
make $(picture 160x120) $sound -vf "select='lt(mod(n,15),3)+eq(mod(n,15),12)'" -vsync vfr $h264 $aac \
  -movflags +faststart uneven.mp4
# The sound begins half a second after the picture, the picture half a second after the sound.
make -f lavfi -i testsrc=s=160x120:r=15:d=2 -itsoffset 0.5 -f lavfi -i sine=f=440:r=48000:d=1.5 \
  $h264 $aac -movflags +faststart late-sound.mp4
make -i late-sound.mp4 -c copy late-sound.mkv
make -itsoffset 0.5 -f lavfi -i testsrc=s=160x120:r=15:d=1.5 -f lavfi -i sine=f=440:r=48000:d=2 \
  -vsync vfr $h264 $aac -movflags +faststart late-picture.mp4
# It declares 15 pictures a second, and all 300 have the same time.
make -f lavfi -i testsrc=s=160x120:r=15:d=20 -f lavfi -i sine=f=440:r=48000:d=20 $h264 $aac even.mkv
make -i even.mkv -c copy -bsf:v setts=ts=0 absurd-rate.mkv
rm even.mkv
# A clap: after one second the picture turns white and a tone begins.
clap() {
  make -f lavfi -i "color=black:s=160x120:r=15:d=2,drawbox=t=fill:color=white:enable='gte(t,1)'" \
    -f lavfi -i "aevalsrc='gte(t,1)*0.5*sin(2*PI*440*t)':s=48000:d=2" "$@"
}
clap $h264 $aac -movflags +faststart clap.mp4
clap $h264 $aac clap.mkv
clap $h264 -c:a libopus clap-opus.mkv
clap -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis clap.webm
clap -c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p $aac clap-hevc.mov
clap -c:v mpeg4 -c:a libmp3lame clap.avi
clap $h264 $aac clap.mts
clap -c:v libtheora -c:a libvorbis clap.ogv
# Trimmed on a phone: an edit list hides the first second.
make -ss 1.0 -i plays-everywhere.mp4 -c copy -movflags +faststart trimmed.mp4

# A song of notes and drums by chance, and films of it. The first began 3.5 s before the song, in a
# room, beside a microphone of a phone; in the second the sound begins half a second after the
# picture, with the song; the third heard another song; the last two heard nothing.
song() {
  make -f lavfi -i "aevalsrc='0.3*sin(2*PI*220*pow(2,floor(24*abs(sin($1*pow(floor(t*4),2))))/12)*t)*exp(-6*mod(t,0.25))+0.2*sin(1e4*sin($1*1e5*t))*exp(-25*mod(t,0.5))*gt(sin(floor(t*2)*$1),0)':s=48000:d=20" "$2"
}
song 78.233 song.flac
song 41.7 other-song.flac
film() {
  name=$1
  shift
  make -f lavfi -i testsrc=s=160x120:r=15:d=24 "$@" $h264 $aac -movflags +faststart "$name"
}
room="highpass=f=250,lowpass=f=5000,aecho=0.8:0.7:31|47|83:0.4|0.3|0.2"
film filmed.mp4 -i song.flac -f lavfi -i anoisesrc=a=0.02:seed=5:r=48000:d=24 -filter_complex \
  "[1]adelay=3500,$room[heard];[heard][2]amix=duration=longest"
film filmed-late-sound.mp4 -itsoffset 0.5 -i song.flac
film filmed-other-song.mp4 -i other-song.flac -af "adelay=3500,$room"
film filmed-silence.mp4 -f lavfi -i anullsrc=d=24
make $(picture 160x120) $h264 -movflags +faststart filmed-without-sound.mp4

# What is refused.
half() { head -c $(($(stat -c %s "$1") / 2)) "$1" >"$2"; }
half index-at-the-end.mp4 index-missing.mp4
half plays-everywhere.mp4 end-missing.mp4
half vp9.webm end-missing.webm
half mpeg4.avi end-missing.avi
make $sound $aac sound-only.m4a
make $sound -c:a libmp3lame sound-only.mp3
make $sound -c:a libopus sound-only.webm
make $(picture 160x120) -frames:v 1 picture.jpg
make $(picture 160x120) -frames:v 1 picture.png
make $(picture 160x120) -frames:v 1 $h264 -movflags +faststart one-picture.mp4
make -f lavfi -i sine=d=1 -i picture.png -map 0 -map 1 -c:a aac -c:v copy -disposition:v attached_pic \
  cover-only.m4a
: >zero-bytes.mp4
printf 'Dear diary, today I danced.\n' >letter.mp4
head -c 100000 /dev/zero | tr '\0' '\377' >noise.mp4
printf '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/hosts\n#EXT-X-ENDLIST\n' >playlist-hls.mp4
printf 'ffconcat version 1.0\nfile /etc/hosts\n' >playlist-concat.mp4
make -f lavfi -i color=s=8448x32:r=5:d=0.4 $h264 too-wide.mp4
make -f lavfi -i color=s=16x16:r=1/60:d=14520 $h264 -movflags +faststart longer-than-four-hours.mp4
make $(picture 160x120) -c:v ffv1 unknown-codec.mkv

mv "$work" "$target"
trap - EXIT
